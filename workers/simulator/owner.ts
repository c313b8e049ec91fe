/** `owned_by` of the simulator's model: who measures it stamps the result SIMULATED. */
export const SIMULATOR_OWNER = 'inferloom-simulator';
