/** Attempts in flight in one process. Those that take longer than `promptMs` hold no place: an endpoint may take its time, not that of others. */
export const PLACES = { prompt: 256, promptMs: 1_000, dawdling: 2_048 }
