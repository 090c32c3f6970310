// Holds the token that a reader typed, for all operations, until the page is left.
import { ref } from 'vue';

export const token = ref('');
