// The page of `web`, where it lies beside the book in the folder `page`, opens the examples.
import(new URL(`${typeof path_to_root === 'string' ? path_to_root : ''}page/book.js`, location.href)).catch(() => {});
