/** `user_tasks_limit_80` → 80 */
export function levelOfEvent(event: string): number {
  return Number(event.slice(event.lastIndexOf('_') + 1))
}
