# The shell sources this file for the IP of the box's address map. Ours has one window and needs none.
