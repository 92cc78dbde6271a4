/** A span of time, from `since` to before `until`; at most 40 days. */
export const span = {
  type: 'object',
  required: ['since', 'until'],
  additionalProperties: false,
  properties: { since: { type: 'string', format: 'date-time' }, until: { type: 'string', format: 'date-time' } },
} as const

/** Tasks by hour; hours without tasks are omitted. `xor` is the exclusive or of the task ids, as 32 hexadecimal digits. */
export const taskHours = {
  type: 'array',
  items: {
    type: 'object',
    required: ['hour', 'tasks', 'xor'],
    additionalProperties: false,
    properties: {
      hour: { type: 'string', format: 'date-time' },
      tasks: { type: 'integer' },
      xor: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    },
  },
} as const
