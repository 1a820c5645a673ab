type Task = () => Promise<unknown>;

const tasks = new Set<Task>();

/**
 * Runs a task at each sign-out, once the server has ended the session. Returns a function that takes it back. The task must
 * not fail, and must end soon.
 */
export function atSignOut(task: Task): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

export function runSignOutTasks(): Promise<unknown> {
  return Promise.all([...tasks].map((task) => task()));
}
