/** Follows a release in a cluster. */
export { Follower, type FollowOptions, type Look } from './follow';
export { type Goal, type GoalReached, Verdict } from './goal';
export { foreignPlaces, possibleKinds, type WatchedKindPlace, watchedKinds } from './kinds';
export { rolesFor } from './role';
export { FOLLOWED_SYSTEMS, type FollowedSystem, systemOf } from './state';
