import { describe, expect, it } from 'vitest';
import { PIPELINE_VERSION } from '@/server/core/pipeline/document';
import { UPGRADE_STEPS, upgradeDocument } from '@/server/core/pipeline/upgrade';

describe('upgradeDocument', () => {
  const steps = {
    1: (document: Record<string, unknown>) => ({ ...document, two: true }),
    2: (document: Record<string, unknown>) => ({ ...document, three: document.two }),
  };

  it('takes one step a version', () => {
    expect(upgradeDocument({ version: 1 }, steps, 3)).toEqual({
      document: { version: 3, two: true, three: true },
      findings: [],
    });
    expect(upgradeDocument({ version: 2 }, steps, 3).document).toEqual({ version: 3, three: undefined });
  });

  it('leaves a document alone where a step is missing', () => {
    const { document, findings } = upgradeDocument({ version: 1 }, { 2: steps[2] }, 3);
    expect(document).toEqual({ version: 1 });
    expect(findings.map((f) => f.code)).toEqual(['version-unknown']);
  });

  it('has a step from every older version', () => {
    const older = Array.from({ length: PIPELINE_VERSION - 1 }, (_, i) => String(i + 1));
    expect(Object.keys(UPGRADE_STEPS)).toEqual(older);
  });
});
