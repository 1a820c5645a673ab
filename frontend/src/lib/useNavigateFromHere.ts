import { useLocation, useNavigate } from 'react-router-dom';

/** Navigates after an answer of the server, unless the user has opened another page meanwhile. */
export function useNavigateFromHere(): (path: string) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (path) => {
    if (location.pathname === pathname) navigate(path);
  };
}
