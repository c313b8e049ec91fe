import { handleWorker } from '@/server/api/handlers';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';
export { handleWorker as POST };
