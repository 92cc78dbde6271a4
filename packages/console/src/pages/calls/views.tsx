import { useSearch } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSuggestions } from '../../api/suggestions.ts'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink, useGo } from '../../shell/links.tsx'
import { WORDS } from '../../text/words.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { CALLS_ADDRESS } from './filters.ts'
import styles from './views.module.css'
import { CALLS_WORDS } from './words.ts'

const { views, filters } = CALLS_WORDS

/** What a slow call takes at least, in milliseconds. */
const SLOW = '1000'

const BUILT_IN = [
  { name: views.all, search: {} },
  { name: views.failed, search: { failed: '1' } },
  { name: views.refused, search: { outcome: 'refused' } },
  { name: views.slow, search: { slow: SLOW } },
] as const

/** Links to lists that are often needed. The current list is marked. The links keep the application and the period. */
export function Views(): ReactNode {
  const appKey = useAppKey()
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const { period, ...shown } = CALLS_ADDRESS.print(CALLS_ADDRESS.parse(search))
  const kept = { app_key: appKey, period }
  const isShown = (of: Readonly<Record<string, string>>) => JSON.stringify(of) === JSON.stringify(shown)
  return (
    <nav aria-label={views.label} className={styles.views}>
      {BUILT_IN.map(({ name, search: of }) => (
        // The view that is shown keeps the open call, so that it stays marked.
        <PageLink
          key={name}
          page="calls"
          search={{ ...kept, ...of, call: isShown(of) ? search.call : undefined }}
          exactSearch
          className={styles.view}
        >
          {name}
        </PageLink>
      ))}
      <Popover
        label={views.user}
        align="end"
        opener={(opener) => (
          <button
            {...opener}
            type="button"
            className={cx(styles.view, shown.user !== undefined && isShown({ user: shown.user }) && styles.shown)}
          >
            <UserRound aria-hidden="true" />
            <span>{shown.user === undefined ? views.user : views.userOf(shown.user)}</span>
          </button>
        )}
      >
        {(close) => <ChooseUser kept={kept} onDone={close} />}
      </Popover>
    </nav>
  )
}

function ChooseUser({ kept, onDone }: { kept: Readonly<Record<string, string | undefined>>; onDone(): void }): ReactNode {
  const [text, setText] = useState<string | undefined>(undefined)
  const { options, loading } = useSuggestions('user', text, kept.app_key)
  const go = useGo()
  return (
    <div className={styles.form}>
      <Field label={filters.user} help={views.userHelp}>
        <Combobox
          free
          eager
          shown=""
          placeholder={filters.userExample}
          options={options}
          loading={loading}
          none={WORDS.list.noSuggestion}
          onSearch={setText}
          onChoose={(user) => {
            onDone()
            if (user !== '') go({ page: 'calls', search: { ...kept, user } })
          }}
        />
      </Field>
    </div>
  )
}
