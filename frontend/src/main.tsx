import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { prepareFirstPage } from './app/pages';
import { applyStoredTheme } from './app/theme';

applyStoredTheme();
const firstPage = prepareFirstPage();

const place = document.getElementById('root');
if (place) {
  const root = createRoot(place);
  // As a transition the first rendering comes in slices, between which a slow phone stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App firstPage={firstPage} />
      </StrictMode>,
    ),
  );
}
