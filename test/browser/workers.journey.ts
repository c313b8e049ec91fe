import os from 'node:os';
import { PROTOCOL_VERSION } from '@/server/core/run/protocol';
import { host } from '@/test/fixtures/experiment';
import { callApi } from './support/api';
import { baseUrl, expect, test } from './support/owner';

/** Registers as an agent does with its token; gives the HTTP status. */
async function register(token: string, name: string): Promise<number> {
  const json = { protocolVersion: PROTOCOL_VERSION, name, agentVersion: '0.1.0', host: host() };
  const answer = await fetch(`${baseUrl()}/api/worker/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(json),
  });
  await answer.text();
  return answer.status;
}

test('the embedded worker is listed with its host', async ({ page }) => {
  await page.goto('/workers');
  const row = page
    .getByRole('table')
    .first()
    .getByRole('row', { name: /^embedded/ });
  await expect(row).toContainText(`${os.cpus().length} cores`);
  await expect(row).toContainText(/llama\.cpp .*embedded/);
  await expect(row).toContainText(/idle|running/);
});

test('a worker token is shown once, lets an agent in, and ends when it is revoked', async ({ page }) => {
  const name = `rack-${Date.now()}`;
  await page.goto('/workers');
  const token = await test.step('make a token', async () => {
    await page.getByRole('button', { name: 'Add a worker' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('The token ends').selectOption({ label: 'in 30 days' });
    await page.getByRole('button', { name: 'Make its token' }).click();
    const command = await page.getByTestId('worker-command').textContent();
    expect(command).toContain(`--server ${baseUrl()}`);
    await page.getByRole('button', { name: 'Done' }).click();
    return /--token (\S+)/.exec(command ?? '')?.[1] ?? '';
  });
  const tokens = page.getByRole('region', { name: 'Tokens of workers' });
  const ofToken = tokens.getByRole('row').filter({ hasText: name });

  await test.step('it is not shown again', async () => {
    expect(token.length).toBeGreaterThan(20);
    await page.reload();
    await expect(ofToken).toContainText(/ends .*never/);
    expect(await page.content()).not.toContain(token);
    expect(JSON.stringify(await callApi(page, 'workers.tokens', undefined))).not.toContain(token);
  });

  const workers = page.getByRole('region', { name: 'Workers', exact: true });
  const ofWorker = workers.getByRole('row').filter({ hasText: name });
  await test.step('an agent comes in with it and is listed', async () => {
    expect(await register(token, name)).toBe(200);
    await expect(ofWorker).toContainText(/idle|running/);
    expect(await register(`${token.slice(0, -1)}x`, name)).toBe(401);
  });

  await test.step('revoked, it lets nobody in', async () => {
    await ofToken.getByRole('button', { name: /^Revoke/ }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke the token ${name}?` });
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(ofToken).toContainText('revoked');
    await expect(ofWorker).toContainText('revoked');
    expect(await register(token, name)).toBe(401);
  });
});
