import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environmentWord, execWord } from '@/server/core/exporters/systemd/unit-word';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { endpointPlan, vllmPlan, withArgument } from '@/test/fixtures/gateway-plans';
import { readUnit, unitWords } from '@/test/schemas/systemd';

const unit = (plan = vllmPlan()): string => fileOf(plan, 'systemd-unit', 'llm.service');
const settingOf = (text: string, section: string, name: string): string => {
  const found = readUnit(text)[section]?.find(([key]) => key === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found[1];
};

/** Settings of systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.kill(5) that units of ours use. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'Documentation', 'Wants', 'After', 'StartLimitIntervalSec', 'StartLimitBurst'],
  Service: [
    'Type',
    'DynamicUser',
    'SupplementaryGroups',
    'StateDirectory',
    'WorkingDirectory',
    'Environment',
    'EnvironmentFile',
    'ExecStartPre',
    'ExecStart',
    'Restart',
    'RestartSec',
    'TimeoutStartSec',
    'TimeoutStopSec',
    'KillSignal',
    'LimitMEMLOCK',
    'LimitNOFILE',
    'NoNewPrivileges',
    'ProtectSystem',
    'ProtectHome',
    'PrivateTmp',
    'ProtectKernelTunables',
    'ProtectKernelModules',
    'ProtectControlGroups',
    'RestrictSUIDSGID',
    'LockPersonality',
    'RestrictAddressFamilies',
    'SystemCallArchitectures',
    'UMask',
  ],
  Install: ['WantedBy'],
};

describe('systemd unit', () => {
  it('is the golden file, twice the same', async () => {
    await expect(unit()).toMatchFileSnapshot('../../../golden/exports/llm.service');
    expect(unit()).toBe(unit());
  });

  it('has only settings of their sections', () => {
    const sections = readUnit(unit());
    expect(Object.keys(sections)).toEqual(Object.keys(KNOWN));
    for (const [section, settings] of Object.entries(sections)) {
      expect(settings.map(([name]) => name).filter((name) => !KNOWN[section]?.includes(name))).toEqual([]);
    }
  });

  it('hands the engine the words of the plan', () => {
    const plan = vllmPlan();
    const words = unitWords(settingOf(unit(plan), 'Service', 'ExecStart'));
    expect(words.slice(0, 3)).toEqual(['/usr/bin/env', 'vllm', 'serve']);
    const own = plan.components[0]?.argv.slice(1) ?? [];
    expect(words.slice(2, 2 + own.length)).toEqual(own);
    expect(words.slice(2 + own.length)).toEqual(['--host', '127.0.0.1', '--port', '8000']);
  });

  it('takes secrets from the environment file and starts only where they are set', () => {
    const sections = readUnit(unit());
    expect(sections.Service).toContainEqual(['EnvironmentFile', '/etc/inferloom/llm.env']);
    expect(sections.Service).toContainEqual(['ExecStartPre', '/bin/sh -c "test -n \\"$$VLLM_API_KEY\\""']);
    const example = fileOf(vllmPlan(), 'systemd-unit', 'llm.env.example');
    expect(example).toMatch(/^# apiKeySecret, node key: the value of INFERLOOM_SECRET_API_KEY\n#VLLM_API_KEY=$/m);
    const asArgument = withArgument(vllmPlan(), '$INFERLOOM_SECRET_OTHER');
    const words = unitWords(settingOf(unit(asArgument), 'Service', 'ExecStart'), { INFERLOOM_SECRET_OTHER: 'x y' });
    expect(words).toContain('x y');
  });

  it('keeps the description on its line, without specifiers', () => {
    expect(settingOf(unit(), 'Unit', 'Description')).toMatch(/^Chat "fast" \$HOME 100%%n; \//);
  });

  it('writes any word so that systemd reads it back', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000'));
    const odd = fc.constantFrom(
      'a b',
      '"',
      "'",
      '\\',
      '$HOME',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: systemd would expand it
      '${X}',
      '%n',
      '%%',
      '\n',
      ';',
      '',
      '\t',
      '\u2028',
      '#x',
      '-',
      '$$',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, odd), { minLength: 1, maxLength: 4 }), (words) => {
        const line = words.map(execWord).join(' ');
        expect(line).not.toContain('\n');
        expect(unitWords(line)).toEqual(words);
      }),
      { numRuns: 300 },
    );
    expect(environmentWord('A=$x "y" 5%')).toBe('"A=$x \\"y\\" 5%%"');
  });

  it('is refused for a server that runs already', () => {
    expect(exported(endpointPlan('http://x'), 'systemd-unit').findings[0]?.message).toMatch(/runs already/);
  });
});
