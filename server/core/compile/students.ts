import type { Arm, Participant } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { AskedSetting, Scope } from '../plan/settings';

interface Student {
  participant: Participant;
  /** Id, repository or path of the model that takes the place of the one that enters. */
  model: string;
}

/** The last one of a chain counts: a pruned student of a student is the model that runs. */
function studentOf(participants: readonly Participant[], scope: Scope): Student | null {
  const found = participants.flatMap((participant): Student[] => {
    if (participant.scope !== scope) return [];
    const model = participant.type.replacesModel?.(participant.params as never) ?? null;
    return model === null ? [] : [{ participant, model }];
  });
  return found.at(-1) ?? null;
}

const isPath = (model: string): boolean => /^(\/|\.\.?\/)/.test(model);

/**
 * A model node, or the student that takes its place: then its node is the technique's, and what is unknown of it is
 * said there. A path on the worker is a student too.
 */
export function replaceModel(participant: Participant, participants: readonly Participant[]): Participant {
  const student = studentOf(participants, participant.scope);
  if (student === null) return participant;
  const { node } = student.participant;
  const model = student.model;
  const params = { ...participant.params, model, path: isPath(model) ? model : null, revision: null, facts: null };
  return { ...participant, node, params };
}

/** Findings about a student name the parameter of the technique that named it. */
export function atStudent(findings: readonly Finding[], scope: Scope, participants: readonly Participant[]): Finding[] {
  const student = studentOf(participants, scope);
  if (student === null) return [...findings];
  const { params, node } = student.participant;
  const field = Object.keys(params).find((name) => params[name] === student.model) ?? null;
  return findings.map((found): Finding => {
    if (found.nodeId !== node.id || found.field !== 'model') return found;
    const edits = (found.fix?.edits ?? []).map((edit) =>
      edit.op === 'set-param' && field !== null ? { ...edit, field } : edit,
    );
    return { ...found, field, fix: found.fix && field !== null ? { ...found.fix, edits } : null };
  });
}

/** A student put in after the weights were quantized: what was quantized is then not what runs. */
export function checkStudentOrder(arm: Arm, scope: Scope, format: AskedSetting<'weightsFormat'> | null): Finding[] {
  const student = studentOf(arm.participants, scope);
  if (student === null || format === null) return [];
  const at = (nodeId: string) => arm.participants.findIndex((p) => p.node.id === nodeId && p.scope === scope);
  const nodeId = student.participant.node.id;
  if (at(format.nodeId) < 0 || at(nodeId) < at(format.nodeId)) return [];
  const message = `"${nodeId}" puts ${student.model} in the place of weights that "${format.nodeId}" quantized: put it before, so that the student is quantized.`;
  return [finding('error', 'student-after-quantization', message, { nodeId })];
}
