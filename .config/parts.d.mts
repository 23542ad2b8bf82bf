export type PartName = 'collector' | 'jaeger';
export function placeOf(name: PartName, os?: string): string;
export function builtPart(name: PartName, os?: string): string | undefined;
export function haveGo(): boolean;
export function buildPart(name: PartName, os?: string): Promise<string>;
