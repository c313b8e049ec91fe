import type { Locator, Page } from '@playwright/test';
import { smallPipeline } from './support/api';
import { inspector, nodes, openBuilder, storedDocument } from './support/builder';
import { expect, test } from './support/owner';

const SECRET = 'sk-journey-4f1c9d7e2b8a6053';
/** `--seed` has no parameter in the graph, `auto` is no length, and the key is nobody's business. */
const COMMAND = `vllm serve Qwen/Qwen3-8B --max-num-seqs 8 --seed 7 --max-model-len auto --api-key ${SECRET}`;

/** Only the traffic: all else comes with the paste. */
const TRAFFIC = { ...smallPipeline(), nodes: smallPipeline().nodes.filter(({ id }) => id === 'load'), edges: [] };

/** Of a model that is in no table. */
const CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  num_hidden_layers: 20,
  hidden_size: 1024,
  num_attention_heads: 16,
  num_key_value_heads: 4,
  intermediate_size: 2816,
  vocab_size: 32000,
  max_position_embeddings: 8192,
  tie_word_embeddings: true,
  torch_dtype: 'bfloat16',
};

const sidewaysPx = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - window.innerWidth);

async function pasteOnCanvas(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+v');
}

/** Goes to a node by the command palette, which a phone has too. */
async function goTo(page: Page, id: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`go ${id}`);
  await page.keyboard.press('Enter');
  await expect(inspector(page).getByRole('textbox', { name: 'id' })).toHaveValue(id);
}

/** The model node as the server has it. */
async function modelOf(page: Page, pipelineId: string) {
  const { nodes: all } = await storedDocument(page, pipelineId);
  const found = all.find((node) => node.type === 'model');
  if (!found) throw new Error(`no model among ${all.map((node) => node.type).join(', ')}`);
  return found;
}
const storedModel = async (page: Page, pipelineId: string) => (await modelOf(page, pipelineId)).params;

async function importCommand(page: Page, pipelineId: string): Promise<void> {
  const message = page.getByRole('listitem').filter({ hasText: 'Imported. Undo takes it back.' });
  await test.step('a command becomes nodes, and what has no node is told', async () => {
    await pasteOnCanvas(page, COMMAND);
    await expect(message).toContainText('Kept as arguments of the engine: --seed 7');
    await expect(message).toContainText('Not kept: --max-model-len auto');
    await expect(message).toContainText('is not stored');
    await expect(message).not.toContainText(SECRET);
    await expect.poll(() => nodes(page).count()).toBeGreaterThan(4);
    // The command, and the same without what it asks for as the baseline.
    await expect(page.getByRole('tab', { name: 'Plans 2' })).toBeVisible();
    expect(await sidewaysPx(page)).toBe(0);
    await message.getByRole('button', { name: 'Close toast' }).click();
  });
  await test.step('one undo takes it back', async () => {
    const count = await nodes(page).count();
    await page.keyboard.press('Control+z');
    await expect(nodes(page)).toHaveCount(1);
    await page.keyboard.press('Control+Shift+z');
    await expect(nodes(page)).toHaveCount(count);
    await expect.poll(async () => (await storedDocument(page, pipelineId)).nodes.length).toBe(count);
    expect(JSON.stringify(await storedDocument(page, pipelineId))).not.toContain(SECRET);
  });
}

async function exportForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('searchbox', { name: 'Search forms' }).fill('compose');
  const form = dialog.getByRole('radio', { name: /^Docker Compose/ });
  await form.check();
  await expect(dialog.getByRole('radio', { name: /^Helm/ })).toHaveCount(0);
  const file = dialog.getByRole('region', { name: /^Text of .*ya?ml$/ }).first();
  await expect(file).toContainText('--seed');
  expect(await sidewaysPx(page)).toBe(0);
  await dialog.getByRole('button', { name: 'Copy' }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await file.textContent());
  expect(copied).toContain('Qwen/Qwen3-8B');
  expect(copied).not.toContain(SECRET);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

const facts = (page: Page): Locator => inspector(page).getByRole('region', { name: 'What is known of this model' });

async function describeModel(page: Page, pipelineId: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Describe a model of your own' });
  await goTo(page, (await modelOf(page, pipelineId)).id);
  await expect(facts(page)).toContainText('36');
  await test.step('by a config.json; a fault names the field and keeps the text', async () => {
    await inspector(page).getByText('Describe a model of your own').click();
    const text = dialog.getByLabel('Or paste a config.json');
    const { num_hidden_layers: _, ...without } = CONFIG;
    await text.fill(JSON.stringify(without));
    await dialog.getByRole('button', { name: 'Use these facts' }).click();
    await expect(dialog.getByRole('alert')).toContainText('num_hidden_layers is missing');
    await expect(text).toHaveValue(JSON.stringify(without));
    await text.fill(JSON.stringify(CONFIG));
    await dialog.getByRole('button', { name: 'Use these facts' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(inspector(page)).toContainText('From config.json: 20 layers of 1024');
    await expect(facts(page)).toContainText(/8\D?192/);
  });
  await test.step('by hand', async () => {
    await inspector(page).getByText('Describe it anew').click();
    const layers = dialog.getByLabel('Layers');
    await expect(layers).toHaveValue('20');
    await layers.fill('many');
    await dialog.getByLabel('KV heads').fill('8');
    await dialog.getByRole('button', { name: 'Use these facts' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('"many" is no whole number above 0.');
    await expect(layers).toBeFocused();
    await expect(dialog.getByLabel('KV heads')).toHaveValue('8');
    expect(await sidewaysPx(page)).toBe(0);
    await layers.fill('24');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(inspector(page)).toContainText('changed by hand: 24 layers of 1024');
    await expect
      .poll(() => storedModel(page, pipelineId))
      .toMatchObject({ facts: { layers: 24, kvHeads: 8, hidden: 1024, formats: ['safetensors:bfloat16'] } });
  });
  await test.step('and back to the table', async () => {
    await inspector(page).getByRole('button', { name: 'Use the table' }).click();
    await expect(inspector(page)).toContainText('Those of the table');
    await expect(facts(page)).toContainText('36');
    await expect.poll(() => storedModel(page, pipelineId)).toEqual({ model: 'Qwen3-8B' });
  });
}

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a pasted command, its export, and a model of one's own at ${width} px`, async ({ owner, page }) => {
    await owner.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width, height });
    const id = await openBuilder(page, `Pasted at ${width} px`, TRAFFIC);
    await importCommand(page, id);
    await exportForm(page);
    await describeModel(page, id);
  });
}
