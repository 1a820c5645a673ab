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
/** Whether the build has rendered the page of this address. */
const isRendered = place.dataset.path === window.location.pathname;

// Usually the code and data of the page load beside this script. A slow phone then renders once instead of twice.
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
  // As a transition, the first rendering runs in slices, and a slow phone stays responsive.
  startTransition(() => {
    if (isRendered) hydrateRoot(place, app);
    else createRoot(place).render(app);
  });
}
