'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useTRPC } from '@/app/_trpc/api';
import { TabList, TabPanel, Tabs } from '@/app/_ui/tabs';
import { ApiKeysTab } from './api-keys-tab';
import { AuditTab } from './audit-tab';
import { MembersTab } from './members-tab';
import { SecretsTab } from './secrets-tab';

const TABS = [
  { value: 'members', label: 'Members', ownersOnly: false },
  { value: 'keys', label: 'API keys', ownersOnly: true },
  { value: 'secrets', label: 'Secrets', ownersOnly: false },
  { value: 'audit', label: 'Audit log', ownersOnly: true },
] as const;

/** The team's settings; who may not read a tab is not shown it. */
export function SettingsPage() {
  const trpc = useTRPC();
  const me = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 }));
  const [asked, setTab] = useQueryState(
    'tab',
    parseAsStringLiteral(TABS.map((tab) => tab.value)).withDefault('members'),
  );
  if (!me.data) return null;
  const { role, team } = me.data;
  const isOwner = role === 'owner';
  const tabs = TABS.filter((tab) => isOwner || !tab.ownersOnly);
  const tab = tabs.find((t) => t.value === asked)?.value ?? 'members';
  const panel = 'grid grid-cols-[minmax(0,1fr)] gap-4 outline-none';
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5">
      <div>
        <h1 className="text-title">Settings</h1>
        <p className="text-dim">
          {team.name}. Your role is {role}
          {isOwner ? '.' : '; an owner sees more here.'}
        </p>
      </div>
      <Tabs value={tab} onValueChange={(next) => void setTab(next)} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TabList label="Settings" items={tabs} />
        <TabPanel value="members" className={panel} tabIndex={-1}>
          <MembersTab me={me.data} />
        </TabPanel>
        <TabPanel value="keys" className={panel} tabIndex={-1}>
          <ApiKeysTab />
        </TabPanel>
        <TabPanel value="secrets" className={panel} tabIndex={-1}>
          <SecretsTab canEdit={role !== 'viewer'} />
        </TabPanel>
        <TabPanel value="audit" className={panel} tabIndex={-1}>
          <AuditTab />
        </TabPanel>
      </Tabs>
    </div>
  );
}
