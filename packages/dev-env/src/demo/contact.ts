export type Group = { readonly id: string; readonly name: string }

export type ContactFields = {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly tags: readonly string[]
  readonly group: string | null
  readonly address: { readonly city: string | null; readonly country: string | null } | null
  readonly favourite: boolean
}

/** `id` counts from 1; `created_at` is ISO 8601. */
export type Contact = ContactFields & { readonly id: number; readonly created_at: string }
