// The systems that are written by hand, with the numbers of their coordinates and multipliers.
#pragma once
#define SYSTEMS(DO) \
  DO(double_pendulum, 2, 0) DO(nlink6, 6, 0) DO(nlink12, 12, 0) DO(penny, 4, 2) DO(particle, 2, 0) DO(ball, 6, 1)
#define CHAINS(DO) DO(6) DO(12)
