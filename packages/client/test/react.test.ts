import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { ConnectAppsButton } from '../src/react.ts'

describe('ConnectAppsButton', () => {
  it('is a button with the properties and the content that it is given', () => {
    const button = createElement(
      ConnectAppsButton,
      { url: 'https://onward.example.com/connect/accounts/x/apps', className: 'wide' },
      'Connect',
    )
    expect(renderToStaticMarkup(button)).toBe('<button class="wide" type="button">Connect</button>')
  })
})
