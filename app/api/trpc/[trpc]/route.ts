import { handleApi } from '@/server/api/handlers';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';
export { handleApi as GET, handleApi as POST };
