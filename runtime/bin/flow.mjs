#!/usr/bin/env node
import '../dist/flow.js';
