'use client';

import { useMemo } from 'react';
import { Button } from '@/app/_ui/button';
import { formatAgo } from '@/app/_ui/format';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { TabPanel, Tabs } from '@/app/_ui/tabs';
import { ArmLegend, defaultArms } from './arm-legend';
import { armRows } from './arm-rows';
import { ArmsTable } from './arms-table';
import { ChartGrid } from './chart-grid';
import { mainWorkload, toChartInput } from './chart-input';
import { FailureList } from './failure-list';
import { LoadPicker } from './load-picker';
import { PlanTab } from './plan-tab';
import { progressOf } from './progress';
import { RunHeader } from './run-header';
import { TrialDetails } from './trial-details';
import { TrialsTab } from './trials-tab';
import { type ExperimentFeed, useExperiment } from './use-experiment';
import { useNow } from './use-now';
import { Verdict } from './verdict';
import { type SetViewState, useViewState, type ViewState } from './view-state';
import type { ExperimentDetail } from './views';

const OVERVIEW = ['output-tokens', 'ttft', 'cost', 'quality'];
const LOAD = [
  'tpot',
  'frontier',
  'ratio-output-tokens',
  'ratio-ttft',
  'ratio-tpot',
  'ttft-percentiles',
  'tpot-percentiles',
  'e2e-percentiles',
];
const QUALITY = ['quality', 'acceptance', 'tokens-per-step'];

export function ExperimentPage({ id }: { id: string }) {
  const feed = useExperiment(id);
  const { detail } = feed;
  if (detail) return <Experiment feed={feed} detail={detail} />;
  if (!feed.error) return <Loading what="the experiment" />;
  return (
    <div className="mx-auto max-w-lg p-4">
      <Problem title="The experiment could not be loaded." actions={<Button onClick={feed.refetch}>Try again</Button>}>
        {feed.error.message}
      </Problem>
    </div>
  );
}

function Experiment({ feed, detail }: { feed: ExperimentFeed; detail: ExperimentDetail }) {
  const [view, setView] = useViewState();
  const now = useNow(feed.running);
  const { live, running, status } = feed;
  const plan = { arms: detail.spec.arms.length, blocks: detail.spec.blocks };
  const progress = progressOf(live, plan, now?.getTime() ?? 0);
  const workload = detail.spec.workloads.find((w) => w.id === view.workload) ?? mainWorkload(detail.spec);
  return (
    <Tabs value={view.tab} onValueChange={(tab) => void setView({ tab })} className="flex min-h-full flex-col">
      <RunHeader detail={detail} running={running} />
      <div className="mx-auto grid w-full max-w-[1440px] gap-3 px-4 py-3 sm:px-5">
        <Verdict {...{ detail, live, progress, status, running, workload, now }} />
        <FailureList detail={detail} live={live} />
        <Panels feed={feed} detail={detail} view={view} setView={setView} now={now} />
      </div>
      <TrialDetails id={view.trial} detail={detail} live={live} onClose={() => void setView({ trial: null })} />
    </Tabs>
  );
}

interface PanelsProps {
  feed: ExperimentFeed;
  detail: ExperimentDetail;
  view: ViewState;
  setView: SetViewState;
  now: Date | null;
}

function Panels({ feed, detail, view, setView, now }: PanelsProps) {
  const { live, running } = feed;
  const { spec, report } = detail;
  const workload = spec.workloads.find((w) => w.id === view.workload) ?? mainWorkload(spec);
  const loadIndex = workload && view.load < workload.loads.length ? view.load : 0;
  const shown = useMemo(() => view.arms ?? defaultArms(spec), [view.arms, spec]);
  const drawn = useMemo(
    () => (workload ? toChartInput(spec, live, report, { workload, loadIndex, arms: shown }) : null),
    [spec, live, report, workload, loadIndex, shown],
  );
  const all = useMemo(() => {
    const arms = spec.arms.map((_, index) => index);
    return workload ? toChartInput(spec, live, report, { workload, loadIndex, arms }) : null;
  }, [spec, live, report, workload, loadIndex]);
  if (!drawn || !all || !workload) return <p className="text-dim">This experiment has no workload.</p>;
  const rows = armRows(all, spec, report);
  const ago = live.lastEventAt && now ? formatAgo(new Date(live.lastEventAt), now) : null;
  const status = running ? ['running', ago].filter(Boolean).join(' · ') : null;
  const controls = (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <ArmLegend spec={spec} shown={shown} onChange={(arms) => void setView({ arms })} />
      <LoadPicker spec={spec} workload={workload} loadIndex={loadIndex} onChange={(choice) => void setView(choice)} />
    </div>
  );
  const charts = (ids: readonly string[]) => (
    <>
      {controls}
      <ChartGrid ids={ids} run={drawn} status={status} />
      <ArmsTable rows={rows} />
    </>
  );
  return (
    <>
      <TabPanel value="overview" className="grid gap-3">
        {charts(OVERVIEW)}
      </TabPanel>
      <TabPanel value="load" className="grid gap-3">
        {charts(LOAD)}
      </TabPanel>
      <TabPanel value="quality" className="grid gap-3">
        {charts(QUALITY)}
      </TabPanel>
      <TabPanel value="trials">
        <TrialsTab detail={detail} live={live} onOpen={(trial) => void setView({ trial })} />
      </TabPanel>
      <TabPanel value="plan">
        <PlanTab detail={detail} live={live} view={view} setView={setView} />
      </TabPanel>
    </>
  );
}
