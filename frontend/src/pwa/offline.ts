/** The script of the offline page. */
import '../styles/tokens.css';
import '../styles/base.css';
import './offline.css';
import { applyStoredTheme } from '../lib/theme';
import { startOfflinePage } from './offline-page';

applyStoredTheme();
startOfflinePage(() => window.location.reload());
