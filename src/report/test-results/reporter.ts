import type { TestReport } from '../../core/test-result';
import type { ReportContext } from '../reporter';

/** The look of the output, and the text of the scripts to show the lines of findings. */
export type TestReportContext = Pick<ReportContext, 'color' | 'ascii' | 'sources'>;

/** Writes a test report in one format. */
export type TestReporter = (report: TestReport, context: TestReportContext) => string;
