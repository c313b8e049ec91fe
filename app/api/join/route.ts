import { handleJoin } from '@/server/auth/link-routes';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';
export { handleJoin as POST };
