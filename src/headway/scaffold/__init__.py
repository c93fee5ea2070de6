"""What `headway new` writes: a detector, a reader or an adapter that works, with its test.

`names` checks the name. `clone` plans the files for a clone of Headway, `project` those of a plug-in elsewhere; both
fill in the files of `templates/`. `new_files` is the only module that writes.
"""
