import { askPostgres } from '../ask-postgres.ts'

/**
 * Notes, in the transaction that counts, each event that area B tries to store. What was noted and not stored was a duplicate that
 * the unique key absorbed. A counter in a process would be lost when that process is killed.
 */
export async function noteProposals(insightsDb: string): Promise<void> {
  await askPostgres(
    insightsDb,
    `create table faults_proposed (id uuid not null);
    create function faults_note() returns trigger language plpgsql as $$
      begin insert into faults_proposed values (new.id); return new; end $$;
    create trigger faults_note before insert on task_event for each row execute function faults_note()`,
  )
}

/** For the control: without the unique key area B counts what comes twice twice. */
export async function dropUniqueKey(insightsDb: string): Promise<void> {
  await askPostgres(insightsDb, 'alter table task_event drop constraint task_event_pkey; create index on task_event (id)')
}
