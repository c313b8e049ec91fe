import { describe, expect, it } from 'vitest';
import { MigrationError } from '@/server/db/migrate';
import { databaseFault, serverFault } from '@/server/start/database-fault';

const fault = (code: string, message: string) => databaseFault(Object.assign(new Error(message), { code }));

describe('databaseFault', () => {
  it.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere.example'],
    ['28P01', 'password authentication failed for user "loom"'],
    ['3D000', 'database "nix" does not exist'],
    ['57P03', 'the database system is starting up'],
    ['53300', 'sorry, too many clients already'],
    ['', 'timeout expired'],
  ])('names %s', (code, message) => {
    expect(fault(code, message)).toContain(message);
    expect(fault(code, message)).toContain('DATABASE_URL');
  });

  it('names every address that a name stands for', () => {
    const tries = [new Error('connect ECONNREFUSED ::1:9'), new Error('connect ECONNREFUSED 127.0.0.1:9')];
    const all = Object.assign(new AggregateError(tries), { code: 'ECONNREFUSED' });
    expect(databaseFault(all)).toContain('connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9');
  });

  it('says what a role without rights needs', () => {
    expect(fault('42501', 'permission denied for schema public')).toMatch(/may not make tables.*owner/);
  });

  it('passes a migration on and leaves the rest to others', () => {
    expect(databaseFault(new MigrationError('migrated by a newer Inferloom'))).toBe('migrated by a newer Inferloom');
    expect(databaseFault(new TypeError('x is undefined'))).toBeNull();
  });
});

describe('serverFault', () => {
  it('wants PostgreSQL 14 and UTF-8', () => {
    expect(serverFault({ versionNumber: 130_021, version: '13.21', encoding: 'UTF8' })).toMatch(/13\.21; version 14/);
    expect(serverFault({ versionNumber: 150_008, version: '15.8', encoding: 'SQL_ASCII' })).toMatch(/SQL_ASCII/);
    expect(serverFault({ versionNumber: 140_000, version: '14.0', encoding: 'UTF8' })).toBeNull();
  });
});
