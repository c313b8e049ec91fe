/** Looks of the two cmdk lists: the search for nodes and the command palette. */
export const commandInput = 'w-full border-b bg-panel px-4 py-2 text-sm outline-none';
export const commandList = 'max-h-80 overflow-y-auto p-2';
export const commandItem =
  'flex cursor-default items-center gap-2 rounded-sm px-2 py-1 data-[selected=true]:bg-grid data-[disabled=true]:opacity-50';
/** Heading of a group in such a list. */
export const groupHeading =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint';
