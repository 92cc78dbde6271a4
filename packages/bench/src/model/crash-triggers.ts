const WRITTEN = ['application', 'delivery', 'partner', 'reevaluation', 'subscription', 'task_event', 'usage_period', 'usage_user']

/**
 * Lets the connection that writes the n-th row from now on break there, in the middle of its transaction. The countdown is a sequence:
 * rolling back does not take it back, so that who tries again gets through. Deliveries are born delivered: nobody is to be called.
 */
export const CRASH_TRIGGERS = [
  'create sequence countdown minvalue -1000 start 1',
  `create function break_off() returns trigger language plpgsql as $$
  begin
    if nextval('countdown') = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
    return coalesce(new, old);
  end $$`,
  ...WRITTEN.map(
    (table) => `create trigger break_off before insert or update or delete on ${table} for each row execute function break_off()`,
  ),
  `create function deliver_at_birth() returns trigger language plpgsql as $$
  begin
    new.delivered_at := now();
    return new;
  end $$`,
  'create trigger deliver_at_birth before insert on delivery for each row execute function deliver_at_birth()',
]

/** Breaks the connection that writes the n-th row from now on; 0 for none. */
export function crashAtRow(n: number): string {
  return `select setval('countdown', ${n === 0 ? 1 : -n})`
}
