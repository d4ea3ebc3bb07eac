from .active_hacc import ActiveHACC as ActiveHACC
