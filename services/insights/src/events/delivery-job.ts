/** The queue that wakes a process when a delivery is due. The `delivery` table is the truth: a job that is lost is put back by the sweep. */
export const DELIVERY_QUEUE = 'webhook-deliveries'

/** `attempt` is the number of the attempt that is due, the first being 1. */
export type DeliveryJob = { readonly delivery_id: string; readonly attempt: number }
