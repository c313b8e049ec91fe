import {
  Binary,
  Box,
  Boxes,
  CircleHelp,
  Cpu,
  Database,
  DoorOpen,
  FastForward,
  Layers,
  type LucideIcon,
  MoveDiagonal,
  Rocket,
  Zap,
} from 'lucide-react';
import type { Family } from '@/server/core/catalog/node-type';
import { familyColor } from './catalog';

const ICONS: Readonly<Record<Family, LucideIcon>> = {
  sources: Box,
  compression: Binary,
  attention: Zap,
  'kv-cache': Database,
  decoding: FastForward,
  serving: Layers,
  gateway: DoorOpen,
  scaling: MoveDiagonal,
  deployment: Rocket,
};

/** Sources differ too much to share one sign. */
const TYPE_ICONS: Readonly<Record<string, LucideIcon>> = { hardware: Cpu, engine: Boxes };

/** The family's sign in its colour; decoration, since the name stands beside it. */
export function FamilyIcon({ family, type, className }: { family: Family | null; type?: string; className?: string }) {
  const Icon = (type ? TYPE_ICONS[type] : undefined) ?? (family ? ICONS[family] : CircleHelp);
  return <Icon aria-hidden className={className ?? 'size-3.5 shrink-0'} style={{ color: familyColor(family) }} />;
}
