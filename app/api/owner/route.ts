import { handleOwner } from '@/server/auth/routes';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';
export { handleOwner as POST };
