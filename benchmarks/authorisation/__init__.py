"""Every credential against every operation: does anybody obtain what they may not grant?"""
