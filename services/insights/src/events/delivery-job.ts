/** The queue that wakes a process when deliveries are due. The `delivery` table is the truth: what a job says that is lost, the sweep finds. */
export const DELIVERY_QUEUE = 'webhook-deliveries'

/** Subscriptions to look at: each has a delivery that is due, unless another process was faster. */
export type DeliveryJob = { readonly subscription_ids: readonly string[] }
