#!/usr/bin/env node
import '../dist/agentcontract.js';
