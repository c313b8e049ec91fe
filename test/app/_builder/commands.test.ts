import { describe, expect, it } from 'vitest';
import { COMMANDS, commandFor, isChord } from '@/app/_builder/commands';

const press = (key: string, mods: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...mods,
});

describe('keys', () => {
  it('tell Ctrl Z from Ctrl Shift Z, and take ⌘ for Ctrl', () => {
    expect(commandFor(press('z', { ctrlKey: true }), false)).toBe('undo');
    expect(commandFor(press('Z', { ctrlKey: true, shiftKey: true }), false)).toBe('redo');
    expect(commandFor(press('y', { ctrlKey: true }), false)).toBe('redo');
    expect(commandFor(press('z', { metaKey: true }), false)).toBe('undo');
    expect(commandFor(press('z'), false)).toBeNull();
  });

  it('leave text fields alone but for saving, running and the palette', () => {
    const inField = COMMANDS.filter((command) => command.inFields).map((command) => command.id);
    expect(inField).toEqual(['run', 'save-version', 'commands']);
    expect(commandFor(press('z', { ctrlKey: true }), true)).toBeNull();
    expect(commandFor(press('l'), true)).toBeNull();
    expect(commandFor(press('Delete'), true)).toBeNull();
    expect(commandFor(press('s', { ctrlKey: true }), true)).toBe('save-version');
  });

  it('take a printed sign with or without Shift, since keyboards differ', () => {
    expect(isChord(press('?', { shiftKey: true }), '?')).toBe(true);
    expect(isChord(press('/', { shiftKey: true }), '/')).toBe(true);
    expect(isChord(press('l', { shiftKey: true }), 'L')).toBe(false);
    expect(isChord(press('l', { altKey: true }), 'L')).toBe(false);
  });

  it('leave copy, cut and paste to the browser', () => {
    for (const key of ['c', 'x', 'v']) expect(commandFor(press(key, { ctrlKey: true }), false)).toBeNull();
  });

  it('use each chord once', () => {
    const chords = COMMANDS.flatMap((command) => [...command.keys]);
    expect(new Set(chords).size).toBe(chords.length);
  });
});

it('keys that act on the selection rest where the graph is not seen', () => {
  expect(commandFor(press('Delete'), false, false)).toBeNull();
  expect(commandFor(press('b', { ctrlKey: true }), false, false)).toBeNull();
  expect(commandFor(press('z', { ctrlKey: true }), false, false)).toBe('undo');
  expect(commandFor(press('Enter', { ctrlKey: true }), false, false)).toBe('run');
});
