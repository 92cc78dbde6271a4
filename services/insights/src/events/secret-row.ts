/** The name under which a subscription's signing secret is sealed. */
export function secretRow(subscriptionId: string): string {
  return `subscription/${subscriptionId}`
}
