import { type Finding, finding } from '../plan/finding';
import { PIPELINE_VERSION } from './document';

export type JsonObject = Record<string, unknown>;
/** Brings a document of one version to the next; key n of the table leads from n to n + 1. */
export type UpgradeStep = (document: JsonObject) => JsonObject;

/** Version 1 is the first: nothing is older yet. A step is never edited once a version has been released. */
export const UPGRADE_STEPS: Readonly<Record<number, UpgradeStep>> = {};

export interface Upgraded {
  document: JsonObject;
  findings: Finding[];
}

const warn = (code: string, message: string): Finding[] => [finding('warning', code, message)];
const fail = (code: string, message: string): Finding[] => [finding('error', code, message)];

/** Brings a raw document to the version `to`, one step a version. What cannot be brought there is returned as it is. */
export function upgradeDocument(document: JsonObject, steps = UPGRADE_STEPS, to = PIPELINE_VERSION): Upgraded {
  const version = document.version;
  if (version === undefined) {
    return {
      document,
      findings: warn('version-missing', `The file names no format version; it is read as version ${to}.`),
    };
  }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    const shown = JSON.stringify(version);
    return { document, findings: fail('version-unknown', `The format version must be a whole number, not ${shown}.`) };
  }
  if (version > to) {
    const message = `The file has format version ${version}; this program reads up to ${to}. Update the program.`;
    return { document, findings: fail('version-newer', message) };
  }
  let current = document;
  for (let at = version; at < to; at++) {
    const step = steps[at];
    if (!step)
      return { document, findings: fail('version-unknown', `No way is known from format version ${at} to ${at + 1}.`) };
    current = { ...step(current), version: at + 1 };
  }
  return { document: current, findings: [] };
}
