import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { preloadReads } from './api/preload';
import { App } from './app/App';
import { prepareFirstPage } from './app/pages';

const TOGETHER_MS = 300;

const place = document.getElementById('root') as HTMLElement;
/** Whether the build has rendered the page of this address to HTML. */
const isRendered = place.dataset.path === window.location.pathname;

// Usually the code and data of the page load in parallel with this script. Waiting for them up to 300 ms saves a slow
// phone a second rendering.
const firstPage = prepareFirstPage();
const together = Promise.all([firstPage, preloadReads()]);
const longEnough = new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
void (place.hasChildNodes() ? firstPage : Promise.race([together, longEnough])).then(render);

function render() {
  const app = (
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>
  );
  // In a transition, React renders in slices, so that a slow phone stays responsive.
  startTransition(() => {
    if (isRendered) hydrateRoot(place, app);
    else createRoot(place).render(app);
  });
}
