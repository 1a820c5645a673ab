import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { preloadAnswer, preloadList } from './api/preload';
import { prepareSession } from './api/session';
import { App } from './app/App';
import { markBegun, readsOfThisPage } from './app/first-reads';
import { prepareFirstPage } from './app/pages';

const TOGETHER_MS = 300;

const firstPage = prepareFirstPage();
let pageHasCome = false;
void firstPage.then(() => {
  pageHasCome = true;
});

markBegun();
const { answers, lists, details = [] } = readsOfThisPage();
lists.forEach(preloadList);

// Usually the code and data of the page load beside this script. A slow phone then renders once instead of twice.
const together = Promise.all([firstPage, prepareSession(), readAnswers()]);
const longEnough = new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
void Promise.race([together, longEnough]).then(render);

async function readAnswers() {
  const came = await Promise.all(answers.map(preloadAnswer));
  if (came.every(Boolean)) await Promise.all(details.map(preloadAnswer));
}

function render() {
  const place = document.getElementById('root');
  if (!place) return;
  const root = createRoot(place);
  // As a transition, the first rendering runs in slices, and a slow phone stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App firstPage={pageHasCome ? null : firstPage} />
      </StrictMode>,
    ),
  );
}
