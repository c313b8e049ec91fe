import { describe, expect, it } from 'vitest';
import { inForeignKeyOrder } from '@/server/db/dump';

describe('order of tables in a dump', () => {
  it('puts a table after those that it points at', () => {
    const order = inForeignKeyOrder([
      { name: 'trial', needs: ['block', 'attempt'] },
      { name: 'attempt', needs: ['block', 'worker'] },
      { name: 'block', needs: ['team'] },
      { name: 'worker', needs: ['team'] },
      { name: 'team', needs: [] },
    ]);
    expect(order).toEqual(['team', 'block', 'worker', 'attempt', 'trial']);
  });

  it('says so when there is a cycle', () => {
    expect(() =>
      inForeignKeyOrder([
        { name: 'a', needs: ['b'] },
        { name: 'b', needs: ['a'] },
      ]),
    ).toThrow('a, b');
  });
});
