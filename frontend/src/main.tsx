import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { prepareSession } from './api/session';
import { App } from './app/App';
import { prepareFirstPage } from './app/pages';
import { applyStoredTheme } from './app/theme';

const TOGETHER_MS = 300;

applyStoredTheme();
const firstPage = prepareFirstPage();
let pageHasCome = false;
void firstPage.then(() => {
  pageHasCome = true;
});

// As a rule the session and the page's code come with this script: a slow phone then renders once instead of twice.
const together = Promise.all([firstPage, prepareSession()]);
const longEnough = new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
void Promise.race([together, longEnough]).then(render);

function render() {
  const place = document.getElementById('root');
  if (!place) return;
  const root = createRoot(place);
  // As a transition the first rendering comes in slices, between which a slow phone stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App firstPage={pageHasCome ? null : firstPage} />
      </StrictMode>,
    ),
  );
}
