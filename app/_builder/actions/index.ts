import { addNode } from './add-node';
import { applyEdits } from './apply-edits';
import { connect } from './connect';
import { importDocument } from './import-document';
import { layOut } from './lay-out';
import { move } from './move';
import { paste } from './paste';
import { remove } from './remove';
import { renameNode } from './rename-node';
import { setParam } from './set-param';
import { toggleBypass } from './toggle-bypass';

/** Every edit that the builder knows. */
export const ACTIONS = [
  addNode,
  applyEdits,
  connect,
  importDocument,
  layOut,
  move,
  paste,
  remove,
  renameNode,
  setParam,
  toggleBypass,
] as const;
