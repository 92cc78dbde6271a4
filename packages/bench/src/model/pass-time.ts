/**
 * Time passes in that everything moves into the past. By way of another millennium, for a unique key is checked row by row:
 * a window must not meet the one before it on the way.
 */
export function passTime(applications: readonly string[], ms: number): string {
  const mine = `app_key in (${applications.map((each) => `'${each}'`).join(', ')})`
  const move = (by: string) => [
    `update usage_period set starts_at = starts_at ${by}, ends_at = ends_at ${by} where ${mine}`,
    `update delivery set period_start = period_start ${by} where ${mine}`,
  ]
  const back = `- interval '${ms} milliseconds'`
  return [
    'begin',
    `update usage_user set anchor = anchor ${back} where ${mine}`,
    `update task_event set occurred_at = occurred_at ${back} where ${mine}`,
    `update application set limit_periods = (
      select jsonb_agg(case when each->>'from' is null then each
        else jsonb_set(each, '{from}', to_jsonb((each->>'from')::timestamptz ${back})) end order by place)
      from jsonb_array_elements(limit_periods) with ordinality as list (each, place)) where ${mine}`,
    `update reevaluation set created_at = created_at ${back}
      where partner_id in (select partner_id from application where ${mine})`,
    ...move("+ interval '365000 days'"),
    ...move(`- interval '365000 days' ${back}`),
    'commit',
  ].join('; ')
}
