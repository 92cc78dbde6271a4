import { Fragment, type ReactNode } from 'react'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Kbd } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/field.tsx'
import { usePreference } from '../ui/preference.ts'
import { useMenuPages } from './menu.tsx'
import { PALETTE_KEY } from './shortcuts.ts'
import styles from './shortcuts-dialog.module.css'

const { shortcuts: words } = SHELL_WORDS

/** Lists all shortcuts, and turns single-letter shortcuts off. */
export function ShortcutsDialog({ onClose }: { onClose(): void }): ReactNode {
  const [letters, setLetters] = usePreference('letters')
  const pages = useMenuPages().map(({ name, key }) => [`G ${key.toUpperCase()}`, SHELL_WORDS.menu[name]] as const)
  return (
    <Dialog open title={words.title} width="wide" onClose={onClose}>
      <div className={styles.groups}>
        <Group name={words.everywhere} keys={[[PALETTE_KEY.shown, words.palette], ...words.everywhereKeys]} />
        <Group name={words.inLists} keys={words.listKeys} />
        <Group name={words.pages} keys={pages} />
      </div>
      <div className={styles.letters}>
        <Switch
          label={words.letters}
          help={words.lettersHelp}
          checked={letters === 'on'}
          onChange={(event) => setLetters(event.target.checked ? 'on' : 'off')}
        />
      </div>
    </Dialog>
  )
}

function Group({ name, keys }: { name: string; keys: readonly (readonly [keys: string, does: string])[] }): ReactNode {
  return (
    <section className={styles.group}>
      <h3>{name}</h3>
      <dl>
        {keys.map(([sequence, does]) => (
          <div key={sequence} className={styles.row}>
            <dt>{does}</dt>
            <dd>
              {sequence.split(' ').map((key, at) => (
                <Fragment key={key}>
                  {at > 0 && ' '}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
