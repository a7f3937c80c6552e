import { disk } from '../edges/disk.js'; // fails: edges-at-the-door

export const judged = disk;
