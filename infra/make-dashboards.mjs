// Writes the Grafana dashboards in `infra/dashboards` from the tables below: node infra/make-dashboards.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CALL = 'route="/functions/:function_name/call"'
const PUBLIC = 'route!~"/(admin|healthz|readyz|metrics).*"'
const rate = (metric, labels = '') => `rate(${metric}{${labels}}[$__rate_interval])`
const quantile = (share, metric, by, labels) => `histogram_quantile(${share}, sum by (${by}) (${rate(`${metric}_bucket`, labels)}))`

/** A panel: its title, its unit, and its queries with the legend of each. */
const panel = (title, unit, ...queries) => ({ title, unit, queries })

const DASHBOARDS = {
  'service-levels': {
    title: 'Onward: service levels',
    panels: [
      panel('Requests that fail because of Onward', 'percentunit', ['onward:errors:ratio5m', '{{service}}']),
      panel('The same over three days; the goal is 0.1 %', 'percentunit', ['onward:errors:ratio3d', '{{service}}']),
      panel('Requests per second', 'reqps', [`sum by (service) (${rate('onward_http_request_seconds_count', PUBLIC)})`, '{{service}}']),
      panel(
        'Duration of calls',
        's',
        [quantile(0.5, 'onward_http_request_seconds', 'le', CALL), 'p50'],
        [quantile(0.99, 'onward_http_request_seconds', 'le', CALL), 'p99'],
      ),
      panel(
        'What Onward adds to a call',
        's',
        [quantile(0.5, 'onward_functions_added_seconds', 'le'), 'p50'],
        [quantile(0.99, 'onward_functions_added_seconds', 'le'), 'p99'],
      ),
      panel('Parts that respond', 'none', ['min by (service, part) (onward_part_up)', '{{service}} {{part}}']),
      panel('Time until a task is counted', 's', ['max(onward_functions_outbox_oldest_seconds)', 'oldest task']),
      panel('Time until a webhook is sent', 's', ['max(onward_insights_delivery_oldest_due_seconds)', 'oldest webhook']),
    ],
  },
  calls: {
    title: 'Onward: calls by app',
    panels: [
      panel('Calls per second by app', 'reqps', [`topk(10, sum by (app) (${rate('onward_functions_calls_total')}))`, '{{app}}']),
      panel('Calls without a response of the app', 'reqps', [
        `sum by (app, outcome) (${rate('onward_functions_calls_total', 'outcome!="answered"')}) > 0`,
        '{{app}} {{outcome}}',
      ]),
      panel('Duration of requests to apps, p95', 's', [
        `topk(10, ${quantile(0.95, 'onward_functions_app_seconds', 'le, app')})`,
        '{{app}}',
      ]),
      panel('Renewals of access tokens that failed', 'reqps', [
        `sum by (app, result) (${rate('onward_functions_renewals_total', 'result!="renewed"')}) > 0`,
        '{{app}} {{result}}',
      ]),
      panel('Calls of the last counted hour, by workspace', 'none', [
        'max by (workspace) (onward_functions_workspace_calls)',
        '{{workspace}}',
      ]),
      panel(
        'Refused requests per second',
        'reqps',
        [`sum(${rate('onward_functions_calls_refused_total')})`, 'task limit'],
        [`sum by (limit) (${rate('onward_functions_rate_limited_total')})`, 'rate limit: {{limit}}'],
      ),
      panel('Bytes that requests in progress hold', 'bytes', ['sum(onward_functions_in_flight_bytes)', 'held']),
      panel('Functions that do not compile', 'none', ['max(onward_functions_quarantined)', 'functions']),
    ],
  },
  counting: {
    title: 'Onward: counting and webhooks',
    panels: [
      panel('Tasks counted per second', 'reqps', [`sum(${rate('onward_insights_tasks_counted_total')})`, 'tasks']),
      panel(
        'Tasks and events that wait',
        's',
        ['max(onward_functions_outbox_oldest_seconds)', 'tasks'],
        ['max(onward_functions_events_oldest_seconds)', 'user events'],
      ),
      panel('Tasks in quarantine', 'none', ['max(onward_insights_quarantine_rows)', 'tasks']),
      panel('Hours in which both services differ', 'none', ['max(onward_insights_hours_differing)', 'hours']),
      panel('Age of the last comparison', 's', ['min(onward_insights_compared_age_seconds)', 'age']),
      panel('Attempts to send webhooks', 'reqps', [`sum by (result) (${rate('onward_insights_webhook_attempts_total')})`, '{{result}}']),
      panel('Webhooks that are due', 'none', ['max(onward_insights_deliveries_due)', 'webhooks']),
      panel('Users at their limit', 'none', ['max by (state) (onward_functions_blocked_users)', '{{state}}']),
    ],
  },
  stores: {
    title: 'Onward: processes and stores',
    panels: [
      panel('Version', 'none', ['count by (service, version) (onward_build_info)', '{{service}} {{version}}']),
      panel('Time since the start', 's', ['time() - max by (service, instance) (onward_started_seconds)', '{{service}} {{instance}}']),
      panel('CPU', 'none', [`sum by (service, instance) (${rate('onward_process_cpu_seconds_total')})`, '{{service}} {{instance}}']),
      panel('Memory', 'bytes', ['sum by (service, instance) (onward_process_resident_memory_bytes)', '{{service}} {{instance}}']),
      panel('Delay of the event loop, p99', 's', [
        'max by (service, instance) (onward_nodejs_eventloop_lag_p99_seconds)',
        '{{service}} {{instance}}',
      ]),
      panel('Memory of Redis', 'percentunit', ['max(onward_queue_memory_share)', 'used']),
      panel(
        'Largest tables',
        'bytes',
        ['topk(6, max by (table) (onward_functions_table_bytes))', 'functions {{table}}'],
        ['topk(6, max by (table) (onward_insights_table_bytes))', 'insights {{table}}'],
      ),
      panel('Difference of clocks', 's', ['max by (service, instance) (onward_clock_skew_seconds)', '{{service}} {{instance}}']),
    ],
  },
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

function dashboardOf(name, { title, panels }) {
  return {
    uid: `onward-${name}`,
    title,
    tags: ['onward'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(({ title: name, unit, queries }, at) => ({
      id: at + 1,
      type: 'timeseries',
      title: name,
      datasource: DATASOURCE,
      gridPos: { x: (at % 2) * 12, y: Math.floor(at / 2) * 8, w: 12, h: 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(([expr, legendFormat], n) => ({ refId: 'ABC'[n], datasource: DATASOURCE, expr, legendFormat })),
    })),
  }
}

// A test gives another folder.
const folder = process.argv[2] ?? join(import.meta.dirname, 'dashboards')
mkdirSync(folder, { recursive: true })
for (const [name, each] of Object.entries(DASHBOARDS)) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(dashboardOf(name, each), null, 2)}\n`)
}
