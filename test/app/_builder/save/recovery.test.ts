import { expect, it } from 'vitest';
import { clearRecovery, readRecovery, writeRecovery } from '@/app/_builder/save/recovery';
import { small } from '../fixtures';

/** The browser's storage, full after `limit` characters. */
function storage(limit = Number.POSITIVE_INFINITY): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
  };
}
const at = new Date(Date.UTC(2026, 0, 1));

it('keeps what is not saved, a pipeline at a time, unknown keys included', () => {
  const store = storage();
  expect(writeRecovery(store, 'a', 4, small(), at)).toBe(true);
  expect(readRecovery(store, 'a')).toEqual({ revision: 4, at: '2026-01-01T00:00:00.000Z', document: small() });
  expect(readRecovery(store, 'b')).toBeNull();
  clearRecovery(store, 'a');
  expect(readRecovery(store, 'a')).toBeNull();
});

it('says that the storage is full, and reads nothing from foreign text', () => {
  expect(writeRecovery(storage(10), 'a', 1, small(), at)).toBe(false);
  const store = storage();
  store.setItem('inferloom.recovery.a', '{"revision":"x"}');
  expect(readRecovery(store, 'a')).toBeNull();
  store.setItem('inferloom.recovery.a', 'not json');
  expect(readRecovery(store, 'a')).toBeNull();
});
