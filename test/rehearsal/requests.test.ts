import { describe, expect, it } from 'vitest';
import { deriveRequests } from '../../src/rehearsal/requests';

describe('deriveRequests', () => {
  it('sends a header named __proto__', () => {
    const requests = deriveRequests({
      candidates: [{ host: 'shop.example.com', paths: ['/'] }],
      matches: [{ headers: [{ name: '__proto__', value: 'pc', type: 'Exact' }] }],
      reachesStable: () => true,
    });
    const match = requests.find((one) => one.class === 'match');
    expect(Object.entries(match?.request.headers ?? {})).toEqual([['__proto__', 'pc']]);
  });
});
