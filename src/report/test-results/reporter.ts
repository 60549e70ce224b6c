import type { TestReport } from '../../core/test-result';
import type { ReportContext } from '../reporter';

/** How the output may look, and the text of the scripts so that the line of a finding can be shown. */
export type TestReportContext = Pick<ReportContext, 'color' | 'ascii' | 'sources'>;

/** Writes a test report in one format. */
export type TestReporter = (report: TestReport, context: TestReportContext) => string;
