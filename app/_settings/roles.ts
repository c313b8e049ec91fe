export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What each role may do, as one reads it beside the choice. */
export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  viewer: 'Sees pipelines, experiments and workers; changes nothing.',
  editor: 'Also edits and runs pipelines and sets secrets.',
  owner: 'Also manages members, API keys and workers, and reads the audit log.',
};

export const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: role }));
export const toRole = (value: string): Role => ROLES.find((role) => role === value) ?? 'viewer';
